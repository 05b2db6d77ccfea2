import type { Adapters } from '../adapters/adapters.ts'
import type { Tracer } from '../lib/tracer.ts'

/** Returns adapters that trace the work of these as steps. */
export function tracedAdapters(adapters: Adapters, tracer: Tracer): Adapters {
  const whole = <T extends object>(name: string, service: T) => tracedObject(name, service, tracer)
  const { signOn, mail, push, zoom, bigBlueButton } = adapters
  return {
    ...adapters,
    files: whole('file store', adapters.files),
    ...(mail && { mail: whole('mail server', mail) }),
    ...(push && { push: whole('push relay', push) }),
    ...(zoom && { zoom: whole('Zoom', zoom) }),
    ...(bigBlueButton && { bigBlueButton: whole('BigBlueButton', bigBlueButton) }),
    ...(signOn && {
      signOn: {
        ...signOn,
        ...(signOn.openId && { openId: whole('sign-on service', signOn.openId) }),
        ...(signOn.directory && { directory: whole('directory', signOn.directory) }),
      },
    }),
    // The addresses are those of users.
    fetch: (...args) => tracer.step('request to another server', {}, () => adapters.fetch(...args)),
    webhookFetch: (...args) => tracer.step('request to a webhook', {}, () => adapters.webhookFetch(...args)),
  }
}

/** Makes a step of each call that returns a promise. */
function tracedObject<T extends object>(name: string, service: T, tracer: Tracer): T {
  return new Proxy(service, {
    get(target, key) {
      const found = Reflect.get(target, key, target)
      if (typeof found !== 'function' || typeof key !== 'string') return found
      return (...args: unknown[]) => {
        const result: unknown = found.apply(target, args)
        if (result instanceof Promise) return tracer.step(`${name}: ${key}`, {}, () => result)
        return result
      }
    },
  })
}
