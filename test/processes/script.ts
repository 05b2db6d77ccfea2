import { type SpawnOptions, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { nodeOptions } from '../../scripts/bundle.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Runs a module in another process. It may import sources, by their paths from the root: they are compiled and joined before, as
 * Node would take seconds for it.
 */
export async function runScript(contents: string, options: SpawnOptions, ...args: string[]) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [ownAddresses],
  })
  const child = spawn(process.execPath, [...nodeOptions, '--input-type=module', '-', ...args], {
    cwd: root,
    ...options,
  })
  child.stdin!.end(outputFiles[0]!.text)
  return child
}

/** Sources find files beside them by their own address. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const address = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address) }
    })
  },
}
