#!/usr/bin/env -S node --max-semi-space-size=32
import { commands } from './cli/commands.ts'
import { outliveReaders } from './cli/output.ts'
import { run } from './cli/run.ts'

outliveReaders()
const words = process.argv.slice(2)
process.exitCode = await run(commands, words.length > 0 ? words : ['serve'], process.env)
