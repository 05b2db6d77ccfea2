import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import type { AttachmentRow } from '../../../../db/schema.ts'
import type { Site } from '../../../../lib/site.ts'
import { decodePath } from '../../../../lib/text/decode-path.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import type { Lookup } from '../../../../markdown/render.ts'
import { newestInTopics } from '../../../channels/topics/newest-in-topics.ts'
import { pageLookup } from '../link-previews/known-pages.ts'
import { externalAddresses } from './external-content.ts'
import { pictureOf } from './thumbnails.ts'

/** The link targets of a text that the renderer needs: uploaded and external pictures, pages, and topics. */
export type LinkTargets = Pick<Lookup, 'picture' | 'externalContent' | 'linkPreview' | 'newestInTopic'>

/** Looks up the possible link targets of a text so that it can be rendered. */
export async function linkTargets(
  { read, realm, site }: { read: Reader; realm: RealmState; site: Site },
  text: string,
): Promise<LinkTargets> {
  const pages = pageLookup(realm, site)
  return {
    ...pages,
    ...(await uploadsIn(read, realm, text)),
    ...(pages.linkPreview || mayShowElsewhere(text)
      ? { externalContent: await externalAddresses(read, realm) }
      : {}),
    ...(await newestInTopics(read, realm, text)),
  }
}

async function uploadsIn(read: Reader, realm: RealmState, text: string): Promise<LinkTargets> {
  const paths = [...text.matchAll(/user_uploads\/([^\s)>\]"'?#<]+)/g)].map(([, path = '']) =>
    decodePath(path),
  )
  if (paths.length === 0) return {}
  const rows = await read.rows(sql<AttachmentRow>`
    SELECT * FROM attachment
    WHERE realm_id = ${realm.id} AND path = ANY(${paths}::text[]) AND removed_at IS NULL AND width IS NOT NULL`)
  const pictures = new Map(rows.map((row) => [row.path, pictureOf(row)]))
  return { picture: (path) => pictures.get(path) }
}

/** Whether a text contains anything like the address of an external picture. */
function mayShowElsewhere(text: string): boolean {
  return /\.(avif|bmp|gif|jpe?g|png|webp|hei[cf]|tiff?|mp4|webm)|youtu/i.test(text)
}
