/* SPDX-License-Identifier: MIT */
/* Two threads count in transactions of a database that is mapped, and a third one reads. */
#include "lmdb.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

static MDB_env *env;
static MDB_dbi dbi;

static int get(MDB_txn *transaction)
{
    MDB_val key = {1, "n"}, value;
    int n = 0;

    if (mdb_get(transaction, dbi, &key, &value) == 0)
        memcpy(&n, value.mv_data, sizeof(n));
    return n;
}

static void *count(void *unused)
{
    for (int i = 0; i < 2; i++) {
        MDB_txn *transaction;
        MDB_val key = {1, "n"};

        assert(mdb_txn_begin(env, NULL, 0, &transaction) == 0);
        int n = get(transaction) + 1;
        MDB_val value = {sizeof(n), &n};

        assert(mdb_put(transaction, dbi, &key, &value, 0) == 0);
        assert(mdb_txn_commit(transaction) == 0);
    }
    return unused;
}

static int look(void)
{
    MDB_txn *transaction;

    assert(mdb_txn_begin(env, NULL, MDB_RDONLY, &transaction) == 0);
    int n = get(transaction);

    mdb_txn_abort(transaction);
    return n;
}

static void *watch(void *unused)
{
    int first = look();

    assert(look() >= first);
    return unused;
}

int main(void)
{
    MDB_txn *transaction;
    pthread_t t[3];

    mkdir("database", 0755);
    assert(mdb_env_create(&env) == 0 && mdb_env_set_mapsize(env, 1 << 20) == 0);
    assert(mdb_env_open(env, "database", 0, 0644) == 0);
    assert(mdb_txn_begin(env, NULL, 0, &transaction) == 0);
    assert(mdb_dbi_open(transaction, NULL, 0, &dbi) == 0);
    assert(mdb_txn_commit(transaction) == 0);
    pthread_create(&t[0], NULL, count, NULL);
    pthread_create(&t[1], NULL, count, NULL);
    pthread_create(&t[2], NULL, watch, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(look() == 4);
    mdb_env_close(env);
    return 0;
}
