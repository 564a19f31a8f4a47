/* SPDX-License-Identifier: MIT */
/* Feeds a fuzz target every file of the folders given, without a fuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void feed(const char *path)
{
    FILE *from = fopen(path, "rb");

    if (!from) {
        perror(path);
        exit(1);
    }

    size_t room = 1 << 22;
    unsigned char *data = malloc(room);
    size_t n = fread(data, 1, room, from);
    unsigned char *exact = malloc(n ? n : 1); /* so that a sanitizer sees what reads on */

    for (size_t i = 0; i < n; i++)
        exact[i] = data[i];
    fclose(from);
    free(data);
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
}

int main(int argc, char **argv)
{
    unsigned n = 0;

    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        struct dirent *entry;

        if (!folder) {
            perror(argv[i]);
            return 1;
        }
        while ((entry = readdir(folder))) {
            char path[4096];

            if (entry->d_name[0] == '.')
                continue;
            snprintf(path, sizeof(path), "%s/%s", argv[i], entry->d_name);
            feed(path);
            n++;
        }
        closedir(folder);
    }
    printf("%u files\n", n);
    return n == 0;
}
