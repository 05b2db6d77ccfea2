import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const home = fileURLToPath(new URL('.', import.meta.url))

/** Builds the service worker into one file, whose name never changes: browsers look for a newer one at its address. */
export default defineConfig({
  root: home,
  publicDir: false,
  plugins: [buildAssets()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: `${home}worker.ts`,
      output: { format: 'iife', entryFileNames: 'sw.js' },
    },
  },
})

/** Tells the worker the files of the client, which was built before into the same folder. */
function buildAssets(): Plugin {
  return {
    name: 'build-assets',
    config(config) {
      const folder = join(resolve(home, config.build?.outDir ?? '../../dist/web'), 'assets')
      const names = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name))
      return { define: { buildAssets: JSON.stringify(names.sort()) } }
    },
  }
}
