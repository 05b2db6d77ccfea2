import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const home = fileURLToPath(new URL('.', import.meta.url))

/** Builds the service worker into one file, whose name never changes: browsers look for a newer one at its address. */
export default defineConfig({
  root: home,
  publicDir: false,
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
