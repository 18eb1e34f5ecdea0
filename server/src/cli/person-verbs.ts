/** The verbs that say who is who. */
import { type Option, type VerbSpec, YES } from './verb-spec.ts'

const KNOWN_BY: readonly Option[] = [
  ['--name <name>', 'a name or an address of mail, as contracts and tokens have it'],
  ['--issuer <url>', 'the provider of a login'],
  ['--sub <subject>', 'what that provider calls them'],
]

export const PERSON_VERBS: readonly VerbSpec[] = [
  {
    verb: 'person list',
    summary: 'persons, and what they are known by',
    remote: true,
    load: async () => (await import('./persons.ts')).showPersons,
  },
  {
    verb: 'person register',
    args: '<name>',
    summary: 'a person by name; the same name again is the same person',
    remote: true,
    load: async () => (await import('./persons.ts')).registerPerson,
  },
  {
    verb: 'person link',
    args: '<person>',
    summary: 'somebody may come by this as well: a name, or a login of a provider',
    options: KNOWN_BY,
    remote: true,
    load: async () => (await import('./persons.ts')).linkLogin,
  },
  {
    verb: 'person unlink',
    args: '<person>',
    summary: 'nobody comes by this any more, and it is erased',
    options: [...KNOWN_BY, YES],
    remote: true,
    load: async () => (await import('./persons.ts')).unlinkLogin,
  },
  {
    verb: 'person merge',
    args: '<person> <into>',
    summary: 'two are one human, and count as one from here on',
    options: [YES],
    remote: true,
    load: async () => (await import('./persons.ts')).mergeTwo,
  },
]
