import type { Section } from '../sections.ts'

/** The sections of the organization. */
export const organizationSections: readonly Section[] = []
