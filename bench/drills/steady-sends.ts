import { setTimeout as sleep } from 'node:timers/promises'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { historySize, type Organization } from '../seed.ts'

/** A message that a drill has sent: when, by the clock, it was acknowledged, and milliseconds until then. */
export type Sent = { id: number; text: string; acknowledged: number; latency: number }

/** Sends at a steady rate, on as many connections as that takes, to each of the ports in turn. */
export function steadySends(ports: number[], organization: Organization, rate: number) {
  const connections = Math.max(ports.length, Math.ceil(rate / 20))
  const sent: Sent[] = []
  const begun = performance.now()
  let isOver = false
  let end = begun
  const work = async (number: number) => {
    const connection = await RawConnection.open(ports[number % ports.length]!)
    const authorization = organization.authorization(number % historySize.smallChannel)
    for (let i = 0; !isOver; i++) {
      const due = begun + ((i * connections + number) * 1000) / rate
      await sleep(Math.max(0, due - performance.now()))
      const text = `drill ${number}/${i}`
      const form = { type: 'stream', to: String(organization.small), topic: 'drill', content: text }
      const asked = performance.now()
      const { status, body } = await connection.ask(
        rawRequest('POST', '/api/v1/messages', { authorization }, form),
      )
      if (status !== 200) throw new Error(`answered ${status}: ${body.subarray(0, 500)}`)
      const { id } = JSON.parse(body.toString()) as { id: number }
      sent.push({ id, text, acknowledged: Date.now(), latency: performance.now() - asked })
    }
    connection.close()
  }
  const all = Promise.all(Array.from({ length: connections }, (_, number) => work(number)))
  return {
    seconds: () => (end - begun) / 1000,
    async stop() {
      isOver = true
      await all
      end = performance.now()
      return sent
    },
  }
}

/** Says how long something took, in milliseconds. */
export function delays(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.999999)}`
}
