import { forgetOrganizations } from './forget-organizations.ts'
import { showOrganizations } from './show-organizations.ts'

export const sitePages = [forgetOrganizations, showOrganizations]
