import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { notBlankPattern, text } from '../../../http/params.ts'
import { badRequest, invalidFields, type Problem } from '../../../lib/api-error.ts'
import { libLimits } from '../../../lib/limits.ts'
import { templateVariables } from '../../../lib/text/url-template.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { playgroundLimits } from './limits.ts'

const languageCharacters = /^[\w +,\-./#]*$/
const languagePattern = '^[\\w +,\\-./#]*[\\w+,\\-./#][\\w +,\\-./#]*$'
/** An address with the code in it, once or several times. */
const templatePattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^{}]*(\\{[+#./;?&]?code\\}[^{}]*)+$'

export const addPlayground = command('POST /realm/playgrounds', {
  summary: 'Add a code playground',
  since: 49,
  creates: true,
  access: requireAdministrator,
  params: {
    name: text({ max: playgroundLimits.playgroundNameLength }).documentedAs({ pattern: notBlankPattern }),
    pygments_language: text({ max: playgroundLimits.playgroundLanguageLength })
      .documentedAs({ pattern: languagePattern })
      .alias('highlighter_language'),
    url_template: text({ max: libLimits.urlTemplateLength }).documentedAs({ pattern: templatePattern }),
  },
  returns: { id: z.int() },
  async handle({ realm, params, conclude }) {
    const playground = {
      name: params.name,
      language: params.pygments_language,
      url_template: params.url_template,
    }
    checkPlayground(realm, playground)
    return conclude(async (change) => {
      checkPlayground(change.state, playground)
      const row = await change.insert('playground', playground)
      return { id: row.id }
    })
  },
})

type PlaygroundFields = { name: string; language: string; url_template: string }

/** Throws unless the playground is valid, and there may be one more. */
export function checkPlayground(realm: RealmState, playground: PlaygroundFields) {
  if (!languageCharacters.test(playground.language))
    throw badRequest('Invalid characters in pygments language')
  const problems = [...blankFields(playground), ...templateProblems(playground.url_template)]
  if (namesake(realm, playground)) {
    const text = 'Realm playground with this Realm, Pygments language and Name already exists.'
    problems.push(['__all__', text])
  }
  if (problems.length > 0) throw invalidFields(problems)
  if (realm.playgrounds.size >= playgroundLimits.playgrounds)
    throw badRequest('There are too many playgrounds.')
}

function blankFields({ name, language, url_template }: PlaygroundFields): Problem[] {
  const fields = { name, pygments_language: language, url_template }
  return Object.entries(fields)
    .filter(([, value]) => value.trim() === '')
    .map(([field]): Problem => [field, 'This field cannot be blank.'])
}

function templateProblems(template: string): Problem[] {
  const variables = templateVariables(template)
  if (template.trim() === '') return []
  if (!variables) return [['url_template', 'Invalid URL template.']]
  if (!variables.has('code')) {
    return [['__all__', 'Missing the required variable "code" in the URL template']]
  }
  if (variables.size > 1) {
    return [['__all__', '"code" should be the only variable present in the URL template']]
  }
  // Clients open the resulting address unchanged, and the code comes from messages.
  if (/^https?:\/\//i.test(template)) return []
  return [['url_template', 'The URL template must begin with http:// or https://']]
}

function namesake(realm: RealmState, { name, language }: PlaygroundFields) {
  return [...realm.playgrounds.values()].find((other) => other.name === name && other.language === language)
}
