import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdentifier, LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { type OidcClaims, parseVouchedPerson } from './oidc-claims.ts'
import type { OidcOptions } from './oidc-options.ts'

const OPTIONS: OidcOptions = {
  issuer: 'https://id.example.com',
  clientId: 'rubicon',
  roles: { approver: ['managers'], auditor: ['audit', 'managers'] },
  tenant: 'acme',
}

const NOW = 1_800_000_000_000

function person(
  claims: OidcClaims,
  more: Partial<OidcOptions> = {},
  tenant = 'acme',
): ReturnType<typeof parseVouchedPerson> {
  const here = { tenant, sha256: nodeCrypto.sha256, now: NOW }
  return parseVouchedPerson({ sub: '7', ...claims }, { ...OPTIONS, ...more }, here)
}

test('roles come from values of a claim: one text, a list, or inside of an object', () => {
  const both = { name: 'oidc:7', shown: null, roles: ['approver', 'auditor'], sub: '7' }
  assert.deepEqual(person({ groups: 'managers' }), { ok: true, value: both })
  assert.deepEqual(person({ groups: ['x', 'managers'] }), { ok: true, value: both })
  const nested = { rolesClaim: 'realm_access.roles' }
  assert.deepEqual(person({ realm_access: { roles: ['managers'] } }, nested).ok, true)
  const dotted = { rolesClaim: 'https://example.com/roles' }
  assert.deepEqual(person({ 'https://example.com/roles': ['managers'] }, dotted).ok, true)
})

test('what is no value of the claim gives no role', () => {
  const nothing: readonly OidcClaims[] = [
    {},
    { groups: null },
    { groups: [] },
    { groups: [['managers']] },
    { groups: { managers: 'managers' } },
    { groups: 'managers,audit' },
    { roles: 'managers' },
  ]
  for (const claims of nothing)
    assert.deepEqual(person(claims), { ok: false, error: 'ROLE_MISSING' }, JSON.stringify(claims))
  const inherited = person({}, { rolesClaim: 'constructor.name' })
  assert.deepEqual(inherited, { ok: false, error: 'ROLE_MISSING' })
})

test('a person is let into the tenants of the claim; without one into the first', () => {
  const groups = 'managers'
  const refused = { ok: false, error: 'SIGN_IN_REFUSED' }
  assert.equal(person({ groups }).ok, true)
  assert.deepEqual(person({ groups }, {}, 'globex'), refused)
  const tenantClaim = 'tenants'
  assert.deepEqual(person({ groups }, { tenantClaim }), refused)
  assert.deepEqual(person({ groups, tenants: ['globex'] }, { tenantClaim }), refused)
  assert.equal(person({ groups, tenants: ['globex'] }, { tenantClaim }, 'globex').ok, true)
})

test('a name is the subject, or digits of its hash where it is no identifier', () => {
  const nameOf = (sub: unknown): string | null => {
    const vouched = person({ sub, groups: 'managers' })
    return vouched.ok ? vouched.value.name : null
  }
  assert.equal(nameOf('248289761001'), 'oidc:248289761001')
  assert.equal(nameOf('a'.repeat(123)), `oidc:${'a'.repeat(123)}`)
  const odd = ['a'.repeat(124), 'a b', 'auth0|42', '', '\ud800']
  const names = odd.map(nameOf)
  assert.equal(new Set(names).size, odd.length)
  for (const name of names) assert.ok(name !== null && isIdentifier(name), String(name))
  assert.equal(nameOf(7), null)
})

test('an address of mail is shown if it was verified, and is one', () => {
  const shown = (claims: OidcClaims): string | null => {
    const vouched = person({ groups: 'managers', ...claims })
    return vouched.ok ? vouched.value.shown : null
  }
  const email = 'ann@example.com'
  assert.equal(shown({ email, email_verified: true }), email)
  assert.equal(shown({ email, email_verified: 'true' }), null)
  assert.equal(shown({ email }), null)
  assert.equal(shown({ email: 7, email_verified: true }), null)
  assert.equal(shown({ email: `${'a'.repeat(243)}@example.com`, email_verified: true }), null)
})

test('an address says who somebody is only where the provider verified it and is trusted to', () => {
  const mail = (claims: OidcClaims, trustEmail: boolean): string | undefined => {
    const vouched = person({ groups: 'managers', ...claims }, { trustEmail })
    return vouched.ok ? vouched.value.mail : 'refused'
  }
  const ann = { email: 'ann@example.com', email_verified: true }
  assert.equal(mail(ann, true), 'ann@example.com')
  assert.equal(mail(ann, false), undefined)
  assert.equal(mail({ ...ann, email_verified: false }, true), undefined)
  for (const email of ['agent:x@example.com', 'P_1@example.com', 'ann'])
    assert.equal(mail({ ...ann, email }, true), undefined, email)
})

test('finding 36f: an ID token from the future lets somebody in', () => {
  const groups = 'managers'
  const skew = LIMITS.oidcSkewMs / 1000
  for (const date of ['iat', 'nbf', 'auth_time']) {
    assert.equal(person({ groups, [date]: NOW / 1000 + skew }).ok, true, date)
    for (const odd of [NOW / 1000 + skew + 1, Number.NaN, String(NOW / 1000), null])
      assert.deepEqual(
        person({ groups, [date]: odd }),
        { ok: false, error: 'SIGN_IN_REFUSED' },
        date,
      )
  }
})
