/*
 * input_size.c - the size of the input, if it is known in advance
 */
#include "input_size.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decompress.h"

static bool is_standard(const char *file)
{
    return strcmp(file, "-") == 0;
}

uint64_t input_size(const char *file)
{
    bool standard = is_standard(file);
    struct stat st;
    off_t at = 0;

    if ((standard ? fstat(STDIN_FILENO, &st) : stat(file, &st)) < 0 ||
        S_ISDIR(st.st_mode))
        return 0;
    if (!S_ISREG(st.st_mode))
        return INPUT_SIZE_UNKNOWN;
    if (standard)
        at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    return at < 0 || at > st.st_size ? 0 : (uint64_t)(st.st_size - at);
}

bool input_is_plain(const char *file)
{
    bool standard = is_standard(file);
    int fd = standard
                 ? STDIN_FILENO
                 : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    off_t at = standard ? lseek(fd, 0, SEEK_CUR) : 0;
    unsigned char first[DECOMPRESS_MAGIC];
    ssize_t n = fd < 0 || at < 0 ? -1 : pread(fd, first, sizeof first, at);

    if (fd > STDIN_FILENO)
        close(fd);
    return n > 0 && !decompress_begins(first, (size_t)n);
}
