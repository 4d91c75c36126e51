"""The arena: bots that speak CodinGame's protocol play each other, at full speed, and every game is a link.

`protocol` is what is said, `bot` a bot's process, `referee` one game, `schedule` which games, `tournament` all of them;
`standings`, `stats` and `ratings` are what they come to, `records`, `table` and `report` how that is written down.
"""
