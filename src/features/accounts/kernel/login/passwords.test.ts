import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { loginLimits } from './limits.ts'
import { hashPassword, isPassword } from './passwords.ts'

const password = 'swordfish 12'

test('a hash that asks for more memory or passes than the server gives matches nothing', async () => {
  const memoryCost = loginLimits.passwordHashMemory
  const passes = loginLimits.passwordHashPasses
  expect(await isPassword(await hashPassword(password), password)).toBe(true)
  expect(await isPassword(await hash(password, { memoryCost, timeCost: 1 }), password)).toBe(true)
  expect(await isPassword(await hash(password, { memoryCost: memoryCost + 8, timeCost: 1 }), password)).toBe(
    false,
  )
  expect(await isPassword(await hash(password, { memoryCost: 64, timeCost: passes + 1 }), password)).toBe(
    false,
  )
  expect(await isPassword('$argon2id$v=19$m=4194304,t=4294967295,p=1$c2FsdHNhbHQ$aGFzaA', password)).toBe(
    false,
  )
  expect(await isPassword('no hash', password)).toBe(false)
})
