// Writes the skeleton of an operation and of its tests, and lists it in its feature:
//   npm run new -- operation messages/drafts/share-draft 'POST /drafts/{draft_id}/share'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const usage = "Usage: npm run new -- operation <group>/<feature>/<name> 'METHOD /path'"

const testHead = `import { expect, test } from 'vitest'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()
`

try {
  const [kind, place, route, ...rest] = process.argv.slice(2)
  if (kind !== 'operation' || !place || !route || rest.length > 0) throw new Error(usage)
  for (const file of newOperation(place, route)) console.log(relative(root, file))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}

function newOperation(place, route) {
  const [, group, feature, name] = /^([a-z-]+)\/([a-z-]+)\/([a-z]+(?:-[a-z]+)*)$/.exec(place) ?? []
  if (!name)
    throw new Error(`${place} must be <group>/<feature>/<name>, in lower case with hyphens. ${usage}`)
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/[\w/{}-]+)$/.exec(route) ?? []
  if (!path) throw new Error(`'${route}' must be a method and a path, such as 'POST /drafts'. ${usage}`)
  if ([group, feature].includes('kernel')) throw new Error('A kernel holds rules and views, not operations.')
  const folder = join(root, 'src', 'features', group, feature)
  const index = join(folder, 'index.ts')
  if (!existsSync(index)) throw new Error(noFeature(group, feature))
  const files = [join(folder, `${name}.ts`), join(folder, `${name}.test.ts`)]
  const existing = files.find((file) => existsSync(file))
  if (existing) throw new Error(`${relative(root, existing)} exists already.`)
  const isQuery = method === 'GET'
  const listed = withEndpoint(readFileSync(index, 'utf8'), constantOf(name), name)
  writeFileSync(files[0], isQuery ? queryFile(name, route) : commandFile(name, route))
  writeFileSync(files[1], isQuery ? queryTests(path) : commandTests(method, path))
  writeFileSync(index, listed)
  return [...files, index]
}

function noFeature(group, feature) {
  return (
    `src/features/${group}/${feature}/index.ts does not exist. For a new feature, write it with the line ` +
    `"export const endpoints = []", and list the feature in ${join('src', 'features', group, 'index.ts')}.`
  )
}

/** The index of a feature with one more operation. */
function withEndpoint(text, constant, name) {
  const line = `import { ${constant} } from './${name}.ts'\n`
  const imports = [...text.matchAll(/^import [^']*'([^']+)'\n/gm)]
  const next = imports.find(([, from]) => from.startsWith('./') && from > `./${name}.ts`)
  const last = imports.at(-1)
  const at = next?.index ?? (last ? last.index + last[0].length : 0)
  const imported = `${text.slice(0, at)}${line}${imports.length === 0 ? '\n' : ''}${text.slice(at)}`
  const list = /^(export const endpoints(?:: \w+\[\])? = \[)([^\]]*)\]/m
  if (!list.test(imported)) return `${imported}\nexport const endpoints = [${constant}]\n`
  return imported.replace(list, (_, start, inside) => {
    const names = [...inside.split(',').map((word) => word.trim()), constant].filter((word) => word !== '')
    const short = `${start}${names.join(', ')}]`
    return short.length <= 110 ? short : `${start}\n${names.map((word) => `  ${word},\n`).join('')}]`
  })
}

function constantOf(name) {
  return name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
}

function summaryOf(name) {
  const words = name.replaceAll('-', ' ')
  return words[0].toUpperCase() + words.slice(1)
}

function paramsOf(route) {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const kind = (name) => (name.endsWith('id') ? 'pathInteger' : 'pathText')
  const kinds = [...new Set(names.map(kind))].sort()
  return {
    imports: kinds.length > 0 ? `import { ${kinds.join(', ')} } from '../../../http/params.ts'\n` : '',
    params: names.length > 0 ? `{ ${names.map((name) => `${name}: ${kind(name)}()`).join(', ')} }` : '{}',
  }
}

function queryFile(name, route) {
  const { imports, params } = paramsOf(route)
  return `import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
${imports}
export const ${constantOf(name)} = query('${route}', {
  summary: '${summaryOf(name)}',
  access: requireUser,
  params: ${params},
  returns: {},
  async handle() {
    return {}
  },
})
`
}

function commandFile(name, route) {
  const { imports, params } = paramsOf(route)
  return `import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
${imports}
export const ${constantOf(name)} = command('${route}', {
  summary: '${summaryOf(name)}',
  access: requireUser,
  params: ${params},
  returns: {},
  async handle({ commit }) {
    await commit(async (_change) => {
      // Check what could have changed, write rows (change.insert, update, run), and tell clients (change.emit).
    })
    return {}
  },
})
`
}

/** A path with something in place of its parameters. */
function examplePath(path) {
  return path.replace(/\{\w+\}/g, '1')
}

function queryTests(path) {
  return `${testHead}
const path = '${examplePath(path)}'

test('it returns what the caller may see', async () => {
  const { anna } = await cast(await organization())
  const { body } = await anna.get(path)
  expect(body).toMatchObject({ result: 'success', fields: 'that the operation returns' })
})

test('users without permission are refused', async () => {
  const { guest } = await cast(await organization())
  expect(await guest.get(path)).toMatchObject({ status: 400, body: { msg: 'the error' } })
})
`
}

function commandTests(method, path) {
  const call = method.toLowerCase()
  return `${testHead}
const path = '${examplePath(path)}'

test('it works, and the users concerned are notified', async () => {
  const { anna } = await cast(await organization())
  const hers = await anna.register()
  expect((await anna.${call}(path)).body).toMatchObject({ result: 'success' })
  expect(await hers.events()).toMatchObject([{ type: 'the event' }])
})

test('other users are not notified', async () => {
  const { anna, ben } = await cast(await organization())
  const his = await ben.register()
  expect((await anna.${call}(path)).body).toMatchObject({ result: 'success' })
  expect(await his.events()).toEqual([])
})

test('users without permission are refused, and nothing changes', async () => {
  const { anna, guest } = await cast(await organization())
  const hers = await anna.register()
  expect(await guest.${call}(path)).toMatchObject({ status: 400, body: { msg: 'the error' } })
  expect(await hers.events()).toEqual([])
})

test('the events lead from the old state to the new state', async () => {
  const { anna } = await cast(await organization())
  const hers = await anna.register()
  expect((await anna.${call}(path)).body).toMatchObject({ result: 'success' })
  await hers.expectStateToMatch()
})
`
}
