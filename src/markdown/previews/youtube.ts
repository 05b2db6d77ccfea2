const hosts = /^https?:\/\/(?:(?:www|m|music)\.)?(youtube\.com|youtube-nocookie\.com|youtu\.be)\//i
const idForm = /^[0-9A-Za-z_-]{11}$/

/** The video that an address of YouTube leads to, and where its still picture is. */
export function youtubeVideo(address: string): { id: string; picture: string } | undefined {
  const host = hosts.exec(address)?.[1]?.toLowerCase()
  if (host === undefined || !URL.canParse(address)) return undefined
  const { pathname, searchParams, hash } = new URL(address)
  const [, first, second] = pathname.split('/')
  const inHash = new URLSearchParams(hash.replace(/^#!?/, '')).get('v')
  const id =
    host === 'youtu.be'
      ? first
      : first === 'v' || first === 'embed' || first === 'shorts'
        ? second
        : (searchParams.get('v') ?? inHash)
  return id && idForm.test(id) ? { id, picture: `https://i.ytimg.com/vi/${id}/mqdefault.jpg` } : undefined
}
