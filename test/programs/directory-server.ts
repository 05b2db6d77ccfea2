import ldap from 'ldapjs'

type DirectoryEntry = {
  dn: string
  password: string
  attributes: Record<string, string | string[] | undefined>
}

/** A real LDAP server on loopback, with these people below dc=example. It refuses searches before a bind. */
export async function directoryServer(people: DirectoryEntry[]) {
  const server = ldap.createServer()
  const passwords = new Map(people.map(({ dn, password }) => [normal(dn), password]))
  // biome-ignore-start lint/suspicious/noExplicitAny: ldapjs has no types worth the name
  server.bind('dc=example', (request: any, response: any, next: any) => {
    if (passwords.get(normal(request.dn.toString())) !== request.credentials) {
      return next(new ldap.InvalidCredentialsError())
    }
    response.end()
    return next()
  })
  server.search('dc=example', (request: any, response: any, next: any) => {
    if (request.connection.ldap.bindDN.equals('cn=anonymous'))
      return next(new ldap.InsufficientAccessRightsError())
    for (const { dn, attributes } of people) {
      if (request.filter.matches(attributes)) response.send({ dn, attributes })
    }
    response.end()
    return next()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `ldap://127.0.0.1:${(server as any).port}`, close }
}

// biome-ignore-end lint/suspicious/noExplicitAny: as above

function normal(dn: string) {
  return dn.toLowerCase().replaceAll(', ', ',')
}
