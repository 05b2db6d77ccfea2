import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormFields } from './body/body.ts'
import { hasUnknownMethod } from './connection/head.ts'
import type { Endpoint } from './endpoint.ts'
import { methodNotAllowed } from './responses/answer.ts'

/** The operations on one path, by method. */
export type Methods = Map<string, Endpoint>

/** Returns the method that a request means: HEAD means GET, and a form, which can only POST, may name another method in a field. */
export function methodOf(methods: Methods, request: FastifyRequest, form: FormFields) {
  if (request.method === 'HEAD' && !methods.get('GET')?.noHead) return 'GET'
  return (request.method === 'POST' && form.get('method')?.toUpperCase()) || request.method
}

/** Answers OPTIONS, and 405 to other methods that the path does not have. */
export function refuseMethod(methods: Methods, request: FastifyRequest, reply: FastifyReply) {
  const get = methods.get('GET')
  const allowed = [...methods.keys(), ...(get ? [get.noHead ? 'OPTIONS' : 'HEAD'] : [])]
  if (request.method !== 'OPTIONS' || hasUnknownMethod(request.raw)) return methodNotAllowed(reply, allowed)
  return reply.code(204).header('allow', allowed.join(', ')).send()
}
