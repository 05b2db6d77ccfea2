import { badRequest } from '../../../../lib/api-error.ts'
import { isObject } from '../../../../lib/is-object.ts'

/** A JSON value from an external service, of unknown structure. Paths in it have the form `repository.owner.login`. */
export class Payload {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  static parse(text: string): Payload {
    try {
      return new Payload(JSON.parse(text))
    } catch {
      throw badRequest('Malformed JSON')
    }
  }

  /** Returns the fields of a form. */
  static ofForm(body: string): Payload {
    return new Payload(Object.fromEntries(new URLSearchParams(body)))
  }

  at(place: string): Payload {
    let value = this.value
    for (const name of place.split('.')) value = isObject(value) ? value[name] : undefined
    return new Payload(value)
  }

  has(place: string): boolean {
    const { value } = this.at(place)
    return value !== undefined && value !== null
  }

  /** Returns a required text. Numbers are converted to text. */
  text(place: string): string {
    const text = this.maybe(place)
    if (text === undefined) throw badRequest(`Malformed payload: ${place} is missing`)
    return text
  }

  /** Returns an optional text, or undefined if it is empty. Replaces lone surrogates, which are not characters. */
  maybe(place: string): string | undefined {
    const { value } = this.at(place)
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined
  }

  is(place: string): boolean {
    return this.at(place).value === true
  }

  /** Returns the items of a list, or no items if there is no list. */
  list(place: string): Payload[] {
    const { value } = this.at(place)
    return Array.isArray(value) ? value.map((item) => new Payload(item)) : []
  }

  /** Returns the names and texts of an object, without values that are no texts. */
  entries(place: string): [string, string][] {
    const { value } = this.at(place)
    if (!isObject(value)) return []
    return Object.keys(value).flatMap((name) => {
      const text = new Payload(value[name]).own()
      return text === undefined ? [] : [[name.toWellFormed(), text] as [string, string]]
    })
  }

  private own(): string | undefined {
    return new Payload({ value: this.value }).maybe('value')
  }
}
