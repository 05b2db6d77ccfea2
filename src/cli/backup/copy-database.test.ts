import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { runTool } from './copy-database.ts'

const directory = await newDirectory()

/** Stands for pg_dump: fails, and says which address and password it got. */
const tool = join(directory, 'tool')
await writeFile(tool, '#!/bin/sh\necho "$1 $PGPASSWORD" >&2; exit 1\n', { mode: 0o700 })

test.each([
  ['postgresql://user:pass%20word@host/name?sslmode=require', 'postgresql://user@host/name?sslmode=require'],
  ['postgresql://host/name?user=user&password=pass%20word', 'postgresql://host/name?user=user'],
  ['postgresql://host/name?password=pass%20word&user=user', 'postgresql://host/name?user=user'],
  ['postgresql:///name?password=pass%20word', 'postgresql:///name'],
])(
  'a program of PostgreSQL gets the password of %s where no other user of the machine sees it',
  async (url, shown) => {
    await expect(runTool(tool, [], url)).rejects.toThrow(`${tool} failed: --dbname=${shown} pass word`)
  },
)
