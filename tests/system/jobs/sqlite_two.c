/* SPDX-License-Identifier: MIT */
/*
 * Two connections to one database, each in its own thread: both add rows in transactions and wait
 * for each other.  With the argument "wal" the journal is written ahead.
 */
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TIMES = 2 };

static char path[] = "/tmp/plait-sqlite-XXXXXX";

static void must(sqlite3 *db, const char *text)
{
    int rc = sqlite3_exec(db, text, NULL, NULL, NULL);

    if (rc != SQLITE_OK)
        fprintf(stderr, "%s: %s\n", text, sqlite3_errmsg(db));
    assert(rc == SQLITE_OK);
}

static sqlite3 *connect_to(void)
{
    sqlite3 *db;

    assert(sqlite3_open(path, &db) == SQLITE_OK);
    sqlite3_busy_timeout(db, 100000);
    return db;
}

static void *add(void *arg)
{
    sqlite3 *db = connect_to();

    for (int i = 0; i < TIMES; i++) {
        must(db, "BEGIN IMMEDIATE");
        must(db, "UPDATE t SET n = n + 1");
        must(db, "COMMIT");
    }
    sqlite3_close(db);
    return arg;
}

static int check(void *sum, int columns, char **values, char **names)
{
    (void)columns;
    (void)names;
    assert(strcmp(values[0], "4") == 0);
    return *(int *)sum = 0;
}

int main(int argc, char **argv)
{
    pthread_t t, u;
    int unseen = 1;

    close(mkstemp(path));
    sqlite3 *db = connect_to();

    if (argc > 1 && strcmp(argv[1], "wal") == 0)
        must(db, "PRAGMA journal_mode=WAL");
    must(db, "CREATE TABLE t(n)");
    must(db, "INSERT INTO t VALUES(0)");
    pthread_create(&t, NULL, add, NULL);
    pthread_create(&u, NULL, add, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(sqlite3_exec(db, "SELECT n FROM t", check, &unseen, NULL) == SQLITE_OK && !unseen);
    sqlite3_close(db);
    return 0;
}
