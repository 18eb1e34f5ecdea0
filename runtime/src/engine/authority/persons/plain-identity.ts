import type { Identity } from 'rubicon-kernel'

/**
 * What a person is found by. Neither capitals, nor spaces around it, nor how its letters are put together
 * make another person: the same name is typed in one form here and in another there.
 */
export function normalisePersonName(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}

export function normaliseIdentity(identity: Identity): Identity {
  return identity.kind === 'name'
    ? { kind: 'name', name: normalisePersonName(identity.name) }
    : identity
}
