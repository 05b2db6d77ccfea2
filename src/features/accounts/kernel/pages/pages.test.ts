import { expect, test } from 'vitest'
import { send } from '../../../../../test/http.ts'
import { changeRealm } from '../../../../../test/messages.ts'
import { repository } from '../../../../../test/runner/source.ts'
import { sharedServer } from '../../../../../test/test-server.ts'
import { de } from './lang/de.ts'
import { en, pageErrors } from './lang/en.ts'
import { textsFor } from './texts.ts'

const { organization } = sharedServer()

test.each([
  [undefined, 'en', 'en'],
  [undefined, 'de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'en', 'de'],
  ['en;q=0.5, DE', 'en', 'de'],
  ['fr-FR,fr;q=0.9', 'de', 'de'],
  ['fr,en;q=0.1', 'de', 'en'],
  ['de;q=0,*', 'en', 'en'],
  [';;q=,constructor', 'fr', 'en'],
])('a browser that accepts %s reads, in an organization that speaks %s, %s', (accepted, usual, language) => {
  expect(textsFor(accepted, usual).language).toBe(language)
})

test('each text takes the same values in all languages', () => {
  const valuesIn = (texts: Record<string, string>) =>
    Object.entries(texts).map(([key, text]) => [key, [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()])
  expect(valuesIn(de)).toEqual(valuesIn(en))
})

test('no text is unused, and each error that is translated is one', () => {
  const sources = repository().filter(({ path }) => /^src\/.*(?<!\.test|\/lang\/\w+)\.ts$/.test(path))
  const code = sources.map(({ text }) => text).join('\n')
  expect(Object.keys(en).filter((key) => !code.includes(`'${key}'`))).toEqual([])
  expect(pageErrors.filter((message) => !code.includes(`'${message}'`))).toEqual([])
})

test('pages are in the language of the browser, or else of the organization, with their errors', async () => {
  const org = await organization()
  const ask = (path: string, language?: string, body?: string) =>
    send(org.place, {
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        ...(language && { 'accept-language': language }),
      },
      body,
    })
  const texts = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).text
  expect(await texts('/login')).toContain('<html lang="en">')
  expect(await texts('/login', 'de')).toMatch(/<html lang="de">[\s\S]*Passwort vergessen\?/)
  const wrong = 'username=nobody%40example.com&password=guess'
  expect(await texts('/login', 'de', wrong)).toContain('Die Adresse oder das Passwort ist falsch.')
  expect(await texts('/accounts/password/reset/nosuch', 'de')).toContain('Dieser Link wurde schon benutzt')
  expect(await texts('/nosuch', 'de')).toContain('<h1>Nicht gefunden</h1>')
  expect(await texts('/accounts/go?organization=@', 'de')).toContain('Das ist keine Adresse dieses Servers')
  await changeRealm(org, { default_language: 'de' })
  expect(await texts('/register', 'fr')).toMatch(/<html lang="de">[\s\S]*brauchst du eine Einladung/)
  expect(await texts('/register', 'en')).toContain('<html lang="en">')
})

test('the pages of a deactivated organization lead to other organizations, and not back to themselves', async () => {
  const org = await organization()
  expect((await org.owner.post('/realm/deactivate')).status).toBe(200)
  const open = (path: string) => send(org.place, { method: 'GET', path, headers: { accept: 'text/html' } })
  for (const path of ['/login', '/register']) {
    const { status, text } = await open(path)
    expect(status).toBe(401)
    expect(text).toContain('This organization has been deactivated')
    expect(text).not.toContain('href="/login"')
    expect(text).toContain('href="/accounts/go"')
  }
  expect((await open('/accounts/go')).status).toBe(200)
})
