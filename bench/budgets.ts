import { machineSpeed } from './calibration.ts'

/** The required value of a figure (`limit`), and the desired one (`aim`). */
type Bound = { limit?: number; aim?: number }

/**
 * `isSeen`: what a user sees, which lasts whole frames of the screen and waits for a network. It may be longer on a machine
 * that is slower than that of calibration.ts, but need not be shorter on a faster one.
 */
export type Budget = ({ atLeast: Bound } | { atMost: Bound }) & { isSeen?: true }

/** A figure that matters by itself, such as one that has a budget. `spread`: how far its rounds lie apart, of the figure. */
export type Finding = { what: string; value: number; unit: string; spread?: number; budget?: Budget }

/**
 * Each is a count, or a ratio to a bare figure of the same run, so it holds or fails alike on a slow day; a figure that is
 * a third worse than in docs/performance.md breaks its limit. Those of the web client are what people may have to wait for.
 */
export const budgets = {
  /** Of the rate of bare node:http with inserts in groups: on 64 connections, and on one. */
  sendOfBare: { atLeast: { limit: 0.3, aim: 0.5 } },
  sendAloneOfBare: { atLeast: { limit: 0.33, aim: 0.45 } },
  sendToManyCost: { atMost: { limit: 1.2, aim: 1.1 } },
  /** At five times the load, of the peak: sends within a second, and sends for each second of the server's processor time. */
  overloadGoodput: { atLeast: { limit: 0.6, aim: 0.9 } },
  overloadSends: { atLeast: { limit: 0.4, aim: 0.9 } },
  /** Milliseconds: 99 of 100. */
  overloadAccepted: { atMost: { aim: 1_000 } },
  overloadRefused: { atMost: { aim: 100 } },
  overloadMemory: { atMost: { limit: 3 } },
  /** As many times the time until bare node:http has answered as many polls. */
  deliverToOne: { atMost: { limit: 19, aim: 4 } },
  /** As many times the time of a bare server that inserts each post before it answers. */
  deliverToOneOfStoring: { atMost: { limit: 2.1 } },
  deliverToHundred: { atMost: { limit: 4 } },
  deliverToThousand: { atMost: { limit: 2.3, aim: 1.3 } },
  /** As many times the time until bare node:http has written to as many streams, and of its processor time. */
  streamToThousand: { atMost: { limit: 4, aim: 1.3 } },
  streamCostOfBare: { atMost: { limit: 4 } },
  /** Of the rate at which bare node:http answers as many clients on new connections. */
  returnOfBare: { atLeast: { limit: 0.3 } },
  /** Of the rate at which bare node:http answers the same bytes. */
  fetchOfBare: { atLeast: { limit: 0.06, aim: 0.3 } },
  fetchAllOfBare: { atLeast: { limit: 0.08, aim: 0.3 } },
  /** As many times the time of bare node:http that answers the same bytes. */
  registerOfBare: { atMost: { limit: 52, aim: 30 } },
  registerNewcomersOfBare: { atMost: { limit: 60 } },
  usersOfBare: { atMost: { limit: 5 } },
  usersPlainOfBare: { atMost: { limit: 1.35 } },
  /** As much of a processor as bare node:http takes for requests at the same pace. */
  presenceOfBare: { atMost: { limit: 1.55 } },
  presencePingOfBare: { atMost: { limit: 1.05 } },
  presenceOldOfBare: { atMost: { limit: 2.1 } },
  /** As many times the time, or processor time, of bare node:http that finds the same by plain SQL and answers the same. */
  searchOfBare: { atMost: { limit: 3.3 } },
  searchWorstOfBare: { atMost: { limit: 4.8 } },
  /** As many times the time of bare node:http that reads, or writes and commits, the same rows and answers the same. */
  registerUnreadOfBare: { atMost: { limit: 0.6 } },
  markOfBare: { atMost: { limit: 2.4 } },
  markNarrowOfBare: { atMost: { limit: 3.2 } },
  markUnreadOfBare: { atMost: { limit: 3.1 } },
  /** As many times the time of a bare statement that writes the same rows. */
  subscribeOfBare: { atMost: { limit: 38 } },
  unsubscribeOfBare: { atMost: { limit: 25 } },
  /** Of each step: large changes go in steps that others can write between. */
  subscribeEvents: { atMost: { limit: 2 } },
  subscribePeers: { atMost: { limit: 1 } },
  /** As many times the time of `node -e 0` and a PostgreSQL of nobody; the first two of a new one. */
  firstStartOfBare: { atMost: { limit: 19.5 } },
  newStartOfBare: { atMost: { limit: 3.8 } },
  startOfBare: { atMost: { limit: 10.5 } },
  nodeStartOfBare: { atMost: { limit: 8.5 } },
  /** Of an organization with a tenth of the users: of what concerns a few of them, and what concerns all. */
  growthOfFew: { atMost: { limit: 1.5 } },
  growthOfAll: { atMost: { limit: 12 } },
  /** Pure processor time, so the bare figure is the work of bench/calibration.ts. */
  permissionOfBare: { atMost: { limit: 0.4 } },
  renderOfBare: { atMost: { limit: 7.3 } },
  renderWorstOfBare: { atMost: { limit: 8.4 } },
  /** The web client. Sizes in kB. */
  webScript: { atMost: { limit: 60 } },
  webStyles: { atMost: { limit: 14 } },
  /** Milliseconds, as people wait for them. */
  webList: { atMost: { limit: 800 }, isSeen: true },
  webState: { atMost: { limit: 1_500 }, isSeen: true },
  webSlowList: { atMost: { limit: 2_500 }, isSeen: true },
  webSlowState: { atMost: { limit: 4_500 }, isSeen: true },
  webSwitch: { atMost: { limit: 150 }, isSeen: true },
  webSwitchLoaded: { atMost: { limit: 50 }, isSeen: true },
  webSlowPage: { atMost: { limit: 1_500 }, isSeen: true },
  webBurst: { atMost: { limit: 30 }, isSeen: true },
  webKey: { atMost: { limit: 50 }, isSeen: true },
  webTypeahead: { atMost: { limit: 16 }, isSeen: true },
  /** Pixels. */
  webShift: { atMost: { limit: 1 } },
  /** Per cent. */
  webLateFrames: { atMost: { limit: 1 }, isSeen: true },
  /** MB after garbage was collected, and how many more after a day. */
  webHeap: { atMost: { limit: 40 } },
  webHeapGrowth: { atMost: { limit: 15 } },
  webNodes: { atMost: { limit: 8_000 } },
  webListenerGrowth: { atMost: { limit: 100 } },
} as const satisfies Record<string, Budget>

/** Undefined for a figure without a limit. */
export function holds(finding: Finding): boolean | undefined {
  return keeps(finding, 'limit')
}

/** Undefined for a figure without an aim. */
export function meetsAim(finding: Finding): boolean | undefined {
  return keeps(finding, 'aim')
}

function keeps({ value, budget }: Finding, which: keyof Bound): boolean | undefined {
  const bound = budget && boundOf(budget, which)
  if (bound === undefined) return undefined
  return 'atLeast' in budget! ? value >= bound : value <= bound
}

export function boundOf(budget: Budget, which: keyof Bound): number | undefined {
  if ('atLeast' in budget) return budget.atLeast[which]
  const bound = budget.atMost[which]
  return bound !== undefined && budget.isSeen ? bound / Math.min(1, machineSpeed()) : bound
}
