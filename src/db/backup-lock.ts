/**
 * The advisory lock that a backup holds. While it does, no file is removed from the store, so the files of every row in the
 * copy of the database are still there when they are copied. Any number that no other user of the database locks.
 */
export const backupLock = 0x726f6f6c
