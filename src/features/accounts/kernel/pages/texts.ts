import type { RequestInfo } from '../../../../http/endpoint.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { realmSettings } from '../../../kernel/settings/settings.ts'
import { de, germanErrors } from './lang/de.ts'
import { en, englishErrors, type PageError } from './lang/en.ts'

const languages = { en, de }
type Language = keyof typeof languages
export type TextKey = keyof typeof en

/** What pages say of errors. */
const errors: Record<Language, Partial<Record<PageError, string>>> = { en: englishErrors, de: germanErrors }

/** The texts of pages in one language. */
export type Texts = {
  language: Language
  /** Returns a text with its values filled in. */
  t(key: TextKey, values?: Record<string, string | number>): string
  /** Returns the text of an error: its message where there is no other. */
  errorText(message: string): string
}

/** Returns the texts in the first language of an Accept-Language header that there is; else in the usual one. */
export function textsFor(accepted: string | undefined, usual = 'en'): Texts {
  const language = [...acceptedIn(accepted), usual, 'en'].find(isLanguage)!
  const known = new Map(Object.entries(errors[language]))
  return {
    language,
    t: (key, values = {}) =>
      languages[language][key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    errorText: (message) => known.get(message) ?? message,
  }
}

/** The reader of a page: a browser that visits an organization. */
export type PageReader = { realm: RealmState; request: Pick<RequestInfo, 'header'> }

/** Returns the texts for the browser of a request, in the organization's language if it names none of ours. */
export function textsOf({ realm, request }: PageReader): Texts {
  return textsFor(request.header('accept-language'), realmSettings(realm).default_language)
}

/** The languages that a browser accepts, the preferred ones first, without regions. */
function acceptedIn(header = ''): string[] {
  return header
    .split(',')
    .map((one) => ({ tag: one.trim().split(/[-;]/)[0]!.toLowerCase(), weight: weightOf(one) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
}

function weightOf(accepted: string): number {
  return Number(/;\s*q=([\d.]+)/.exec(accepted)?.[1] ?? 1)
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag)
}
