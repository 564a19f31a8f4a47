/* SPDX-License-Identifier: MIT */
/* A database on files: two threads write batches and read their own back; then all is there, also
 * when opened again. */
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"

static leveldb::DB *db;

static void write_some(const std::string &name)
{
    for (int i = 0; i < 2; i++) {
        leveldb::WriteBatch batch;
        std::string got;

        batch.Put(name + std::to_string(i), std::to_string(i));
        batch.Put("last", name);
        assert(db->Write(leveldb::WriteOptions(), &batch).ok());
        assert(db->Get(leveldb::ReadOptions(), name + std::to_string(i), &got).ok() &&
               got == std::to_string(i));
    }
}

static leveldb::DB *opened(const std::string &path)
{
    leveldb::Options options;
    leveldb::DB *made = nullptr;

    options.create_if_missing = true;
    assert(leveldb::DB::Open(options, path, &made).ok());
    return made;
}

int main()
{
    char folder[] = "/tmp/plait-leveldb-XXXXXX";
    std::string got;

    assert(mkdtemp(folder) != nullptr);
    db = opened(folder);
    std::thread other(write_some, "b");
    write_some("a");
    other.join();
    delete db;
    db = opened(folder);
    for (const char *key : {"a0", "a1", "b0", "b1", "last"})
        assert(db->Get(leveldb::ReadOptions(), key, &got).ok());
    assert(got == "a" || got == "b");
    delete db;
    assert(leveldb::DestroyDB(folder, leveldb::Options()).ok());
    return 0;
}
