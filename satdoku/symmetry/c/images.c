/* Images of puzzles under permutations of lines and renamings of digits. */
#include "canonical.h"

/* The offsets of the lines of one direction (every second point), 0 if one is not of the board. */
static int offsets(const uint8_t *points, int count, int step, uint16_t *out)
{
    for (int i = 0; i < count; i++) {
        int line = points[2 * i] / 2;
        if (line >= count) return 0;
        out[i] = (uint16_t)(line * step);
    }
    return 1;
}

int64_t satdoku_images(const satdoku_moves *moves, int64_t count, const uint8_t *puzzles,
                       const uint8_t *lines, const uint8_t *digits, uint8_t *images)
{
    int height = moves->height, width = moves->width, cells = height * width;
    uint16_t down[SATDOKU_MAX_SIZE], right[SATDOKU_MAX_SIZE];
    for (int64_t i = 0; i < count; i++) {
        const uint8_t *line = lines + i * moves->points, *digit = digits + i * (moves->size + 1);
        int turned = line[0] % 2;
        if (turned && height != width) return i;
        if (!offsets(line, height, turned ? 1 : width, down)) return i;
        if (!offsets(line + 1, width, turned ? width : 1, right)) return i;
        const uint8_t *puzzle = puzzles + i * cells;
        for (int row = 0; row < height; row++)
            for (int column = 0; column < width; column++) {
                uint8_t value = puzzle[down[row] + right[column]];
                if (value > moves->size) return i;
                *images++ = digit[value];
            }
    }
    return count;
}
