import { getRealmIcon } from './get-realm-icon.ts'
import { getRealmLogo } from './get-realm-logo.ts'
import { removeRealmIcon } from './remove-realm-icon.ts'
import { removeRealmLogo } from './remove-realm-logo.ts'
import { uploadRealmIcon } from './upload-realm-icon.ts'
import { uploadRealmLogo } from './upload-realm-logo.ts'

export const endpoints = [
  getRealmIcon,
  getRealmLogo,
  removeRealmIcon,
  removeRealmLogo,
  uploadRealmIcon,
  uploadRealmLogo,
]
