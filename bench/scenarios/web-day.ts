import type { Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import { rowOf, type Slice } from '../measure.ts'
import { rawRequest } from '../raw-client.ts'
import { Reader } from '../web-client.ts'

/** A day of a reader: events, and changes of the view. */
const events = 50_000
const switches = 300
/** How many events come between two looks at how many there were, in seconds of sending. */
const seconds = 1

/** Measures how much a day in one tab leaves behind. */
export const webDay: Scenario = {
  name: 'web-day',
  title: `A day of the web client: ${events.toLocaleString('en')} events, ${switches} changes of view`,

  async run(bench) {
    const reader = await Reader.create(bench)
    try {
      const { small, large } = bench.organization
      const tab = await reader.tab()
      await tab.page.goto(`${reader.url}#narrow/channel/${large}/topic/topic.200`)
      await tab.run('bench.state')
      const show = (number: number) =>
        tab.run(`bench.goTo('narrow/channel/${large}/topic/topic.20${number % 40}')`)
      // Parts that are loaded once, such as the box to write, are no growth.
      for (let i = 1; i <= 3; i++) await show(i)
      const before = await tab.settled()
      const scripts = [0, 1, 2, 3].map((user) => [
        rawRequest(
          'POST',
          '/api/v1/messages',
          { authorization: bench.organization.authorization(user) },
          { type: 'channel', to: String(small), topic: 'day', content: 'Some words of the day' },
        ),
      ])
      const { port } = bench.server
      const slices: Slice[] = []
      let [sent, shown] = [0, 3]
      while (sent < events) {
        const send = () => bench.load.do('requests', { port, seconds, scripts })
        const slice = await bench.withCpuTime(send)
        slices.push(slice)
        sent += slice.count
        for (; shown < 3 + switches * Math.min(1, sent / events); shown++) await show(shown + 1)
      }
      const calls = await tab.run<number>('bench.calls()')
      const end = { type: 'direct', to: JSON.stringify([reader.id]), content: 'Good night' }
      const authorization = bench.organization.authorization(0)
      await bench.ask(rawRequest('POST', '/api/v1/messages', { authorization }, end))
      await tab.run(`bench.until(() => bench.calls() > ${calls})`)
      const after = await tab.settled()
      const grown = (name: string) => (after[name] ?? 0) - (before[name] ?? 0)
      return {
        rows: [rowOf('messages, on 4 connections', slices)],
        findings: [
          { what: 'events', value: sent, unit: '' },
          { what: 'heap, before', value: (before.JSHeapUsedSize ?? 0) / 1e6, unit: 'MB' },
          {
            what: 'heap, more',
            value: grown('JSHeapUsedSize') / 1e6,
            unit: 'MB',
            budget: budgets.webHeapGrowth,
          },
          { what: 'nodes of the page', value: after.Nodes ?? 0, unit: '', budget: budgets.webNodes },
          {
            what: 'listeners, more',
            value: grown('JSEventListeners'),
            unit: '',
            budget: budgets.webListenerGrowth,
          },
        ],
      }
    } finally {
      await reader.close()
    }
  },
}
