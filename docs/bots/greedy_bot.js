// A small bot: it plays the move after which it has the most orbs.
"use strict";

const CELLS = [...Array(36).keys()]; // a1 is 0, b1 is 1, a2 is 6
const NEIGHBOURS = CELLS.map((cell) => {
  const column = cell % 6;
  return [cell + 6, cell - 6, column < 5 ? cell + 1 : -1, column > 0 ? cell - 1 : -1].filter((it) => it >= 0 && it < 36);
});

// Who holds each cell, and how many orbs it has.
function readBoard(lines) {
  const pairs = lines.reverse().flatMap((line) => line.match(/../g)); // row 6 comes first
  return { owners: pairs.map((pair) => pair[0]), counts: pairs.map((pair) => Number(pair[1]) || 0) };
}

// Plays a cell, with all that it sets off, and tells how many orbs are mine; a win is more than any number.
function orbsAfter(board, cell, me) {
  const owners = [...board.owners];
  const counts = [...board.counts];
  const enemies = () => owners.some((owner) => owner !== me && owner !== ".");
  const hadEnemies = enemies();
  owners[cell] = me;
  counts[cell] += 1;
  for (;;) {
    const critical = CELLS.filter((it) => counts[it] >= NEIGHBOURS[it].length);
    if (!critical.length) break;
    for (const it of critical) {
      owners[it] = ".";
      counts[it] = 0;
    }
    for (const other of critical.flatMap((it) => NEIGHBOURS[it])) {
      owners[other] = me;
      counts[other] += 1;
    }
    if (hadEnemies && !enemies()) return 1000;
  }
  return CELLS.filter((it) => owners[it] === me).reduce((sum, it) => sum + counts[it], 0);
}

function answer(me, board) {
  let best = -1;
  let most = -1;
  for (const cell of CELLS.filter((it) => [me, "."].includes(board.owners[it]))) {
    const orbs = orbsAfter(board, cell, me);
    if (orbs > most) [best, most] = [cell, orbs];
  }
  return "abcdef"[best % 6] + (Math.floor(best / 6) + 1);
}

let me = null; // r or b
let turn = []; // the opponent's last move, and six rows
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (me === null) {
    me = line;
    return;
  }
  turn.push(line);
  if (turn.length === 7) {
    console.log(answer(me, readBoard(turn.slice(1))));
    turn = [];
  }
});
