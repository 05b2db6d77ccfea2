#!/usr/bin/env -S node --max-semi-space-size=32
import { commands } from './cli/commands.ts'
import { outliveReaders } from './cli/output.ts'
import { run } from './cli/run.ts'

outliveReaders()
const words = process.argv.slice(2)
const isServer = words.length === 0 || words[0] === 'serve'
process.exitCode = await run(commands, isServer ? ['serve', ...words.slice(1)] : words, process.env)
// A command that is done ends, even if a connection that it has begun to close still holds the process.
if (!isServer) process.exit()
