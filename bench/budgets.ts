/** The required value of a figure (`limit`), and the desired one (`aim`). */
type Bound = { limit?: number; aim?: number }

/**
 * `isCount`: a count or a ratio, which is the same on every machine. Where there is a bare
 * figure of the same run, the ratio to it has a budget as well. Any other budget is a rate or a time, and holds for
 * the machine that the budgets were set for: on a slower one, rates may be lower and times longer in proportion.
 * `isSeen`: what a user sees, which lasts whole frames of the screen and waits for a network. It may be longer on a slower
 * machine, but need not be shorter on a faster one.
 */
type Budget = ({ atLeast: Bound } | { atMost: Bound }) & { isCount?: true; isSeen?: true }

/** A figure that matters by itself, such as one that has a budget. `spread`: how far its rounds lie apart, of the figure. */
export type Finding = { what: string; value: number; unit: string; spread?: number; budget?: Budget }

/** For two processors that the load generator shares, at the speed of 1 (see calibration.ts). */
export const budgets = {
  sendRate: { atLeast: { limit: 4_000, aim: 5_000 } },
  sendAlone: { atMost: { limit: 2 } },
  /** Of the rate of bare node:http with inserts in groups: on 64 connections, and on one. */
  sendOfBare: { atLeast: { limit: 0.3, aim: 0.5 }, isCount: true },
  sendAloneOfBare: { atLeast: { limit: 0.3, aim: 0.45 }, isCount: true },
  sendToManyCost: { atMost: { limit: 1.2, aim: 1.1 }, isCount: true },
  lastOfThousandQueues: { atMost: { limit: 150, aim: 100 } },
  fetchRate: { atLeast: { limit: 1_500, aim: 2_000 } },
  /** Of the rate at which bare node:http answers the same bytes. */
  fetchOfBare: { atLeast: { limit: 0.06, aim: 0.3 }, isCount: true },
  fetchAllOfBare: { atLeast: { aim: 0.3 }, isCount: true },
  register: { atMost: { limit: 50 } },
  /** As many times the time of bare node:http that answers the same bytes. */
  registerOfBare: { atMost: { limit: 150, aim: 30 }, isCount: true },
  /** Kinds of searches mixed, in milliseconds. */
  searchUsual: { atMost: { limit: 30 } },
  searchWorst: { atMost: { limit: 150 } },
  registerUnread: { atMost: { limit: 150 } },
  markRead: { atMost: { limit: 50 } },
  /** Of a processor, in per cent. */
  presence: { atMost: { limit: 10 } },
  users: { atMost: { limit: 60 } },
  usersOfBare: { atMost: { limit: 20, aim: 5 }, isCount: true },
  usersPlainOfBare: { atMost: { aim: 5 }, isCount: true },
  renderRate: { atLeast: { limit: 5_000 } },
  renderWorst: { atMost: { limit: 50 } },
  /** Microseconds. */
  permissionCheck: { atMost: { limit: 5 } },
  /** Seconds for all users in one request. */
  subscribeAll: { atMost: { limit: 2 } },
  subscribeEvents: { atMost: { limit: 2 }, isCount: true },
  subscribePeers: { atMost: { limit: 1 }, isCount: true },
  start: { atMost: { limit: 2 } },
  firstStart: { atMost: { limit: 5 } },
  /** The web client. Sizes in kB, times in milliseconds. */
  webScript: { atMost: { limit: 60 }, isCount: true },
  webStyles: { atMost: { limit: 14 }, isCount: true },
  webList: { atMost: { limit: 800 }, isSeen: true },
  webState: { atMost: { limit: 1_500 }, isSeen: true },
  webSlowList: { atMost: { limit: 2_500 }, isSeen: true },
  webSlowState: { atMost: { limit: 4_500 }, isSeen: true },
  webSwitch: { atMost: { limit: 150 }, isSeen: true },
  webSwitchLoaded: { atMost: { limit: 50 }, isSeen: true },
  webBurst: { atMost: { limit: 30 }, isSeen: true },
  webShift: { atMost: { limit: 1 }, isCount: true },
  webLateFrames: { atMost: { limit: 1 }, isSeen: true },
  webKey: { atMost: { limit: 50 }, isSeen: true },
  webTypeahead: { atMost: { limit: 16 }, isSeen: true },
  /** MB after garbage was collected, and how many more after a day. */
  webHeap: { atMost: { limit: 40 }, isCount: true },
  webHeapGrowth: { atMost: { limit: 15 }, isCount: true },
  webNodes: { atMost: { limit: 8_000 }, isCount: true },
  webListenerGrowth: { atMost: { limit: 100 }, isCount: true },
} as const satisfies Record<string, Budget>

/** Undefined for a figure without a limit. `speed`: that of the machine when the figure was measured. */
export function holds(finding: Finding, speed: number): boolean | undefined {
  return keeps(finding, 'limit', speed)
}

/** Undefined for a figure without an aim. */
export function meetsAim(finding: Finding, speed: number): boolean | undefined {
  return keeps(finding, 'aim', speed)
}

function keeps({ value, budget }: Finding, which: keyof Bound, speed: number): boolean | undefined {
  const bound = budget && boundOf(budget, which, speed)
  if (bound === undefined) return undefined
  return 'atLeast' in budget! ? value >= bound : value <= bound
}

/** A bound as it stands for a machine of this speed. */
export function boundOf(budget: Budget, which: keyof Bound, speed: number): number | undefined {
  const bound = 'atLeast' in budget ? budget.atLeast[which] : budget.atMost[which]
  if (bound === undefined || budget.isCount) return bound
  const factor = budget.isSeen ? Math.min(speed, 1) : speed
  return 'atLeast' in budget ? bound * factor : bound / factor
}
