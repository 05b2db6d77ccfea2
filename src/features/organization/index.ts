import type { Feature } from '../feature.ts'
import * as auditLog from './audit-log/index.ts'
import * as domains from './domains/index.ts'
import * as emoji from './emoji/index.ts'
import * as linkifiers from './linkifiers/index.ts'
import * as organizationPictures from './organization-pictures/index.ts'
import * as pictures from './pictures/index.ts'
import * as playgrounds from './playgrounds/index.ts'
import * as settings from './settings/index.ts'

/** Features of the organization as a whole. */
export const organizationFeatures: Feature[] = [
  auditLog,
  domains,
  emoji,
  linkifiers,
  organizationPictures,
  pictures,
  playgrounds,
  settings,
]
