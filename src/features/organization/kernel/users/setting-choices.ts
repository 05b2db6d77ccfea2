import { text } from '../../../../http/params.ts'
/** The values that clients offer for the setting emojiset. */
export const emojisetChoices = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
  { key: 'google-blob', text: 'Google blobs' },
]

/** The notification sounds that clients have. */
export const notificationSounds = [
  ...['ascend', 'beep_boop', 'bink', 'bright', 'brlip', 'chime', 'deep tom', 'ding', 'double tap', 'down'],
  ...['dry bongos', 'dutdut', 'fast ascend', 'flute', 'friendly', 'kick roll', 'loud tintong'],
  ...['metallic snare', 'pan', 'shaker', 'simple', 'stairs', 'subtle', 'swish', 'tintong', 'up'],
  ...['wood block', 'zaping', 'zing', 'zulip'],
]

/** The languages that clients support. */
const languages = [
  ...[
    'ar',
    'be',
    'bg',
    'bn',
    'bqi',
    'ca',
    'cs',
    'cy',
    'da',
    'de',
    'el',
    'en',
    'en-gb',
    'es',
    'eu',
    'fa',
    'fi',
  ],
  ...['fr', 'gl', 'gu', 'he', 'hi', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ml', 'mn', 'nl', 'no', 'pl'],
  ...['pt', 'pt-br', 'pt-pt', 'ro', 'ru', 'si', 'sk', 'sr', 'sv', 'ta', 'tl', 'tr', 'uk', 'ur', 'uz', 'vi'],
  ...['zh-hans', 'zh-hant'],
]

/** The code of a language that clients support. isLanguage checks it. */
export const languageParam = () => text().documentedAs({ enum: languages })

export function isLanguage(code: string): boolean {
  return languages.includes(code)
}

/** Returns the name of a language in that language. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
}

/** The form of the IANA name of a time zone. */
export const timeZonePattern = /^[A-Z][\w+-]*(\/[\w+-]+)*$/

/** Returns whether a text is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (!timeZonePattern.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
