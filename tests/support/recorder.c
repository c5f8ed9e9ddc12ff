/* Preloaded into a process, records what it asks of the disk below the folder $RECORD_FOLDER.
 *
 * Each record in the file $RECORD_LOG: a line "OP INODE OFFSET LENGTH NAME NEWNAME", - for what an
 * operation does not have, and behind a write its bytes. Only calls that succeeded are recorded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int ours(const char *path) {
    const char *folder = getenv("RECORD_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void record(const char *op, unsigned long inode, long offset, const void *data, size_t length,
                   const char *name, const char *new_name) {
    char line[1200];
    int fd = (int)syscall(SYS_openat, AT_FDCWD, getenv("RECORD_LOG"),
                          O_WRONLY | O_APPEND | O_CREAT, 0600);
    int size = snprintf(line, sizeof line, "%s %lu %ld %zu %s %s\n", op, inode, offset, length,
                        base(name), base(new_name));
    if (syscall(SYS_write, fd, line, size) != size) abort();
    if (length && syscall(SYS_write, fd, data, length) != (long)length) abort();
    syscall(SYS_close, fd);
}

static unsigned long inode_of(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 ? status.st_ino : 0;
}

/* Records an operation on an open file, if it is a file or folder of ours. */
static void record_open(const char *op, int fd, long offset, const void *data, size_t length) {
    char link[64], path[1000];
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0 || fstat(fd, &status) != 0) return;
    path[size] = 0;
    if (!ours(path)) return;
    const char *kind = S_ISDIR(status.st_mode) ? "syncfolder" : op;
    record(kind, status.st_ino, offset, data, length, "-", "-");
}

static int opened(const char *path, int flags, int mode) {
    int created = ours(path) && (flags & O_CREAT) && inode_of(path) == 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && created) record("create", inode_of(path), 0, NULL, 0, path, "-");
    return fd;
}

#define OPEN(name)                                    \
    int name(const char *path, int flags, ...) {      \
        va_list rest;                                 \
        va_start(rest, flags);                        \
        int mode = flags & O_CREAT ? va_arg(rest, int) : 0; \
        va_end(rest);                                 \
        int fd = opened(path, flags, mode);           \
        return fd;                                    \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *data, size_t length) {
    long offset = lseek(fd, 0, SEEK_CUR);
    ssize_t written = syscall(SYS_write, fd, data, length);
    if (written > 0 && offset >= 0) record_open("write", fd, offset, data, written);
    return written;
}

#define ON_FILE(name, op, parameters, arguments, offset)       \
    int name parameters {                                      \
        int result = REAL(name) arguments;                     \
        if (result == 0) record_open(op, fd, offset, NULL, 0); \
        return result;                                         \
    }
ON_FILE(fsync, "sync", (int fd), (fd), 0)
ON_FILE(fdatasync, "sync", (int fd), (fd), 0)
ON_FILE(ftruncate, "truncate", (int fd, off_t size), (fd, size), size)
ON_FILE(ftruncate64, "truncate", (int fd, off64_t size), (fd, size), size)

int rename(const char *from, const char *to) {
    unsigned long inode = inode_of(from);
    int result = REAL(rename)(from, to);
    if (result == 0 && ours(to)) record("rename", inode, 0, NULL, 0, from, to);
    return result;
}

int link(const char *from, const char *to) {
    int result = REAL(link)(from, to);
    if (result == 0 && ours(to)) record("link", inode_of(to), 0, NULL, 0, from, to);
    return result;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    int result = REAL(linkat)(from_folder, from, to_folder, to, flags);
    if (result == 0 && ours(to)) record("link", inode_of(to), 0, NULL, 0, from, to);
    return result;
}

int unlink(const char *path) {
    unsigned long inode = inode_of(path);
    int result = REAL(unlink)(path);
    if (result == 0 && ours(path)) record("unlink", inode, 0, NULL, 0, path, "-");
    return result;
}
