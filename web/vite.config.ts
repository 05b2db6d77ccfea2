import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'
import { messageFiles } from './message-files.ts'
import { smallerSolid } from './smaller-solid.ts'

const home = fileURLToPath(new URL('.', import.meta.url))
const server = process.env.ROOKERY_URL ?? 'http://localhost:9990'

const firstLoad = modulesOfFirstLoad()

/**
 * What is used together, or in many places, in one file each: many small ones are many requests, compress badly, and the first load
 * has all their names. A file takes what its modules import along, unless one above has it.
 */
const laterFiles = [
  // Needed by the code that follows events, which may import nothing of the first load.
  { name: 'lib', test: /\/src\/lib\// },
  {
    name: 'writing',
    test: /\/web\/(store\/(writing|drafts|uploads|typing|moves|presence|topics)|view\/(compose\/(permission|times|call-provider)|feed\/empty-view|message\/time-left|topic\/commands))\./,
  },
  { name: 'parts', test: /\/web\/view\/parts\// },
  {
    name: 'settings-parts',
    test: /\/web\/(view\/settings\/(parts\/(?!principals|group-control|settings-table|local|data-table)|organization\/(refusals|roles)\.)|store\/(by-id|group-rights)\.)/,
  },
  {
    name: 'tables',
    test: /\/web\/view\/settings\/(tables\.ts|you\/(appearance|preferences|privacy|notifications|defaults)\.ts|organization\/tables\/)/,
  },
  { name: 'settings-table', test: /\/web\/view\/settings\/parts\/(settings-table|local)\./ },
  {
    name: 'finding',
    test: /\/web\/(lib\/(fuzzy|candidates)|view\/compose\/(pill|suggest-field|fit-above|preview))\./,
  },
  {
    name: 'people',
    test: /\/web\/view\/people\/(people-table|add-people|find-people|person-button)\./,
  },
  { name: 'channel-rights', test: /\/web\/store\/(channel-rights|subscribers)\./ },
  {
    name: 'channel-settings',
    test: /\/web\/view\/channels\/(channel-settings|general|permissions|retention|personal|subscribers|archive|more)\./,
  },
  { name: 'boxes', test: /\/web\/view\/(compose\/composer|message\/edit-box)\./ },
]

// The API and the pages without scripts come from a running server.
const fromServer =
  '^/(json|api|login|logout|account|accounts|register|join|static|user_avatars|user_uploads|external_content|thumbnail|pages\\.css|rookery|calls)'

export default defineConfig({
  root: home,
  base: '/',
  // Templates are made by our own `template`, under a Trusted Types policy; see lib/dom.ts.
  plugins: [
    messageFiles(),
    layerOrder(),
    firstLoad.plugin,
    smallerSolid(),
    partLoader(),
    solid({ solid: { moduleName: fileURLToPath(new URL('lib/dom.ts', import.meta.url)) } }),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // `loadPart` gets the file of a part, too, also if it needs no others.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, others, { hostType }) =>
        hostType === 'js' ? [...new Set([file, ...others])] : others,
    },
    reportCompressedSize: false,
    rolldownOptions: {
      optimization: { inlineConst: true },
      output: {
        codeSplitting: { groups: [{ name: 'start', test: (id) => firstLoad.has(id) }, ...laterFiles] },
        // The first load names all files. 42 bits tell the versions of one apart.
        chunkFileNames: ({ facadeModuleId }) => `assets/${laterMark(facadeModuleId)}[name]-[hash:7].js`,
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  server: { port: 5173, proxy: { [fromServer]: { target: server, changeOrigin: false } } },
})

/** Has parts that are loaded later loaded by `loadPart`, in place of a function of Vite. */
function partLoader(): Plugin {
  const loader = JSON.stringify(`${home}lib/load-part.ts`)
  return {
    name: 'part-loader',
    enforce: 'pre',
    transform: (_, id) =>
      id.endsWith('vite/preload-helper.js')
        ? `export { loadPart as __vitePreload } from ${loader}`
        : undefined,
  }
}

/** Of the files with texts, en-….js is in the first load, more-en-….js is not. */
function laterMark(id: string | null) {
  return /\/lang\/\w+\/[\w-]+\.json\?all$/.test(id ?? '') ? 'more-' : ''
}

/** Finds what the page loads first, which goes into one file: it compresses better than many, and is one request. */
function modulesOfFirstLoad() {
  const found = new Set<string>()
  const plugin: Plugin = {
    name: 'first-load',
    buildEnd() {
      const waiting = [`${home}main.tsx`]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (found.has(id)) continue
        found.add(id)
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []))
      }
    },
  }
  return { plugin, has: (id: string) => found.has(id) }
}

/**
 * Names the layers at the top of each style file: the first file that the browser reads decides their order. In a build that
 * is the file of the first load, and the others need not name them.
 */
function layerOrder(): Plugin {
  return {
    name: 'layer-order',
    enforce: 'pre',
    transform: (code, id) =>
      /\.css($|\?)/.test(id) ? `@layer reset, tokens, base, parts, screens;\n${code}` : undefined,
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        const isLater =
          file.type === 'asset' && /\.css$/.test(file.fileName) && !/\bstart-/.test(file.fileName)
        if (isLater) file.source = String(file.source).replace(/^@layer [\w,]+;/, '')
      }
    },
  }
}
