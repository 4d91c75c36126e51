"""What a number of wins, draws and losses says about two bots.

A game is a win, a draw or a loss of the first of them; a draw is half a win.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

Z95 = NormalDist().inv_cdf(0.975)
"""How many standard deviations lie on either side of the middle in a 95 % confidence interval."""
_ALMOST_NONE = 1e-3
_PRECISION = 1e-12


def elo(score: float) -> float:
    """Return the Elo difference at which such a score is expected: the inverse of `expected`.

    A. E. Elo, *The Rating of Chessplayers, Past and Present*, 1978; the logistic curve that chess uses today.
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def expected(difference: float) -> float:
    """Return the score that is expected of a player who is that much Elo stronger."""
    return float(1 / (1 + 10 ** (-difference / 400)))


@dataclass(frozen=True, slots=True)
class Score:
    """Wins, draws and losses of one bot."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def reversed(self) -> "Score":
        """The same games as the other bot sees them."""
        return Score(self.losses, self.draws, self.wins)

    def __str__(self) -> str:
        low, high = self.interval
        counts = f"+{self.wins} ={self.draws} -{self.losses} of {self.games}"
        return f"{self.share:6.1%} ({low:.1%} to {high:.1%})  {counts}"

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point a win, half a point a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The points over the games; one half before the first."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share, after E. B. Wilson.

        *Probable Inference, the Law of Succession, and Statistical Inference*, Journal of the American Statistical
        Association 22, 1927. It holds at 0 and at 100 per cent too, and for a handful of games. It takes draws for half
        wins and the two games of an opening for independent: both make it wider than it had to be, never narrower.
        """
        if not self.games:
            return 0.0, 1.0
        z2 = Z95 * Z95 / self.games
        middle = (self.share + z2 / 2) / (1 + z2)
        half = math.sqrt(z2 * self.share * (1 - self.share) + z2 * z2 / 4) / (1 + z2)
        return max(0.0, min(self.share, middle - half)), min(1.0, max(self.share, middle + half))

    @property
    def elo(self) -> float:
        """The Elo difference that the share stands for; infinite without a loss or without a win."""
        return elo(self.share)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the Elo difference: that of the share."""
        low, high = self.interval
        return elo(low), elo(high)

    @property
    def superiority(self) -> float:
        """The likelihood that this bot is the stronger one, were nothing known before these games.

        Draws tell nothing, and wins less losses are taken for normally distributed: R. Coulom's *likelihood of
        superiority* in its usual form, Φ((W − L) / √(W + L)), https://www.chessprogramming.org/Match_Statistics.
        """
        decided = self.wins + self.losses
        return NormalDist().cdf((self.wins - self.losses) / math.sqrt(decided)) if decided else 0.5


def log_likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of `elo1` to `elo0`.

    `pairs` is how many pairs of games, sides swapped, came to 0, ½, 1, 1½ and 2 points. The two games of a pair share
    an opening and are not independent; the pairs are.

    This is the generalized likelihood ratio as Fishtest, Stockfish's test framework, uses it: for each hypothesis, the
    most likely distribution of the five outcomes that has its score as its mean. See M. Van den Bergh,
    https://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, Proposition 1.1.
    """
    counts = [count or _ALMOST_NONE for count in pairs]
    total = sum(counts)
    shares = [count / total for count in counts]
    likely0, likely1 = (_most_likely(shares, expected(difference)) for difference in (elo0, elo1))
    return sum(count * math.log(one / zero) for count, zero, one in zip(counts, likely0, likely1, strict=True))


def _most_likely(shares: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution over 0, ¼, ½, ¾ and 1 with that mean, given the shares observed."""
    offsets = [points / (len(shares) - 1) - mean for points in range(len(shares))]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    while high - low > _PRECISION * (1 + abs(low)):
        middle = (low + high) / 2
        if sum(share * offset / (1 + middle * offset) for share, offset in zip(shares, offsets, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return [share / (1 + low * offset) for share, offset in zip(shares, offsets, strict=True)]


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test of whether the first bot is `elo1` stronger than the second, or only `elo0`.

    A. Wald, *Sequential Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often `elo1` may be taken for true when `elo0` is."""
    beta: float = 0.05
    """How often `elo0` may be taken for true when `elo1` is."""

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which `elo0` and `elo1` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """Return the log-likelihood ratio of the pairs played."""
        return log_likelihood_ratio(pairs, self.elo0, self.elo1) if sum(pairs) else 0.0

    def accepted(self, pairs: Sequence[int]) -> float | None:
        """Return the Elo difference that is proven, or `None` as long as neither is."""
        ratio, (low, high) = self.ratio(pairs), self.bounds
        return self.elo0 if ratio <= low else self.elo1 if ratio >= high else None
