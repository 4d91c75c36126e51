// A small bot: it plays the move after which it has the most orbs.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

struct Board {
    std::array<char, 36> owners;  // a1 is 0, b1 is 1, a2 is 6
    std::array<int, 36> counts;
};

std::vector<int> neighbours(int cell) {
    std::vector<int> found;
    if (cell + 6 < 36) found.push_back(cell + 6);
    if (cell - 6 >= 0) found.push_back(cell - 6);
    if (cell % 6 < 5) found.push_back(cell + 1);
    if (cell % 6 > 0) found.push_back(cell - 1);
    return found;
}

bool has_enemies(const Board& board, char me) {
    return std::any_of(board.owners.begin(), board.owners.end(), [me](char owner) { return owner != me && owner != '.'; });
}

// Plays a cell, with all that it sets off, and tells how many orbs are mine; a win is more than any number.
int orbs_after(Board board, int cell, char me) {
    const bool had_enemies = has_enemies(board, me);
    board.owners[cell] = me;
    board.counts[cell] += 1;
    for (;;) {
        std::vector<int> critical;
        for (int it = 0; it < 36; ++it)
            if (board.counts[it] >= static_cast<int>(neighbours(it).size())) critical.push_back(it);
        if (critical.empty()) break;
        for (int it : critical) {
            board.owners[it] = '.';
            board.counts[it] = 0;
        }
        for (int it : critical)
            for (int other : neighbours(it)) {
                board.owners[other] = me;
                board.counts[other] += 1;
            }
        if (had_enemies && !has_enemies(board, me)) return 1000;
    }
    int orbs = 0;
    for (int it = 0; it < 36; ++it)
        if (board.owners[it] == me) orbs += board.counts[it];
    return orbs;
}

int main() {
    std::string line;
    std::getline(std::cin, line);
    const char me = line[0];  // r or b
    while (std::getline(std::cin, line)) {  // the opponent's last move: the board says enough
        Board board{};
        for (int row = 5; row >= 0; --row) {  // row 6 comes first
            std::getline(std::cin, line);
            for (int column = 0; column < 6; ++column) {
                const char owner = line[2 * column];
                board.owners[6 * row + column] = owner;
                board.counts[6 * row + column] = owner == '.' ? 0 : line[2 * column + 1] - '0';
            }
        }
        int best = -1, most = -1;
        for (int cell = 0; cell < 36; ++cell) {
            if (board.owners[cell] != me && board.owners[cell] != '.') continue;
            const int orbs = orbs_after(board, cell, me);
            if (orbs > most) best = cell, most = orbs;
        }
        std::cout << "abcdef"[best % 6] << best / 6 + 1 << std::endl;  // endl flushes
    }
}
