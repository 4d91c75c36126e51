"""`python -m critmass` is `critmass`."""

from critmass.cli import main

if __name__ == "__main__":
    main()
