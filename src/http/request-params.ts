import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { memoizePer } from '../lib/collections/memoize-per.ts'
import type { FormFields } from './body/body.ts'
import type { ReceivedFile } from './body/files.ts'
import { parseForm } from './body/form.ts'
import { queryOf } from './connection/head.ts'
import type { Endpoint } from './endpoint.ts'
import { missing, type Params, type Values } from './params.ts'

// The parameters of a request, from wherever they come.

/** Returns the fields of the query and of the form, which counts first. */
export function fieldsOf(request: FastifyRequest, form: FormFields): FormFields {
  const query = queryOf(request.url)
  if (query === undefined) return form
  const fields = parseForm(query)
  return form.size === 0 ? fields : new Map([...fields, ...form])
}

/** Returns the values of all parameters, or throws the error of the first that is wrong. */
export function readParams(
  params: Params,
  request: FastifyRequest,
  sent: FormFields,
  files: ReceivedFile[],
  stream: Readable | undefined,
) {
  const inPath = request.params as Record<string, string>
  const values: Record<string, unknown> = {}
  for (const name in params) {
    const param = params[name]!
    const inRoute = param.takesSlashes ? '*' : name
    if (param.source === 'files' || param.source === 'body') {
      values[name] = param.source === 'files' ? files : stream
      continue
    }
    values[name] = param.read(name, (asked) => (param.source === 'path' ? inPath[inRoute] : sent.get(asked)))
  }
  return values as Values<Params>
}

/** Throws 400 if a parameter was sent without another one that it requires. */
export function checkCompanions({ requires = {} }: Endpoint, sent: FormFields) {
  for (const name in requires) {
    const missingName = sent.get(name) ? requires[name]?.find((other) => !sent.get(other)) : undefined
    if (missingName !== undefined) throw missing(missingName)
  }
}

/** Parameters that clients may send to any operation; see clientName and methodOf. */
const known = new Set(['client', 'method'])

const namesOf = memoizePer(
  (params: Params) => new Set(Object.entries(params).flatMap(([name, { aliases }]) => [name, ...aliases])),
)

/** Returns the names of the fields that an operation does not know. */
export function unknownNames({ params }: Endpoint, sent: FormFields): string[] {
  const names = namesOf(params)
  return [...sent.keys()].filter((name) => !names.has(name) && !known.has(name)).sort()
}
