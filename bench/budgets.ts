/** What a figure should be, at least or at most; `aim`: what we would like it to be. */
type Budget = { least: number; aim?: number } | { most: number; aim?: number }

/** A figure that matters by itself, such as one that has a budget. */
export type Finding = { what: string; value: number; unit: string; budget?: Budget }

/** For two processors that the load generator shares. */
export const budgets = {
  sendRate: { least: 4_000, aim: 5_000 },
  sendOfCeiling: { least: 0.5 },
  sendAlone: { most: 2 },
  sendToManyCost: { most: 1.2, aim: 1.1 },
  lastOfThousandQueues: { most: 150, aim: 100 },
  fetchRate: { least: 1_500, aim: 2_000 },
  register: { most: 50 },
  start: { most: 2 },
  firstStart: { most: 5 },
} as const satisfies Record<string, Budget>

/** Undefined for a figure without a budget. */
export function holds({ value, budget }: Finding): boolean | undefined {
  if (!budget) return undefined
  return 'least' in budget ? value >= budget.least : value <= budget.most
}
