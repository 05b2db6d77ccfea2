#!/usr/bin/env node
import { serve } from './cli/serve.ts'
import { ConfigError, readConfig } from './lib/config.ts'

/** The commands of `rookery`, by name. */
const commands: Record<string, (config: ReturnType<typeof readConfig>, args: string[]) => Promise<void>> = {
  serve,
}

async function main([name = 'serve', ...args]: string[]) {
  const command = commands[name]
  if (!command) throw new ConfigError(`There is no command ${name}; there are: ${Object.keys(commands).join(', ')}.`)
  await command(readConfig(process.env), args)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
})
