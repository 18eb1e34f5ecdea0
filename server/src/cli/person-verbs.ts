/** The verbs that say who is who. */
import { type Option, type VerbSpec, YES } from './verb-spec.ts'

const KNOWN_BY: readonly Option[] = [
  ['--name <name>', 'a name or an email address, as in contracts and tokens'],
  ['--issuer <url>', 'the OpenID issuer of a login'],
  ['--sub <subject>', 'the subject (`sub`) of the login at that issuer'],
]

export const PERSON_VERBS: readonly VerbSpec[] = [
  {
    verb: 'person list',
    summary: 'list persons, with their names and logins',
    remote: true,
    load: async () => (await import('./persons.ts')).showPersons,
  },
  {
    verb: 'person register',
    args: '<name>',
    summary: 'register a person by name; the same name again is the same person',
    remote: true,
    load: async () => (await import('./persons.ts')).registerPerson,
  },
  {
    verb: 'person link',
    args: '<person>',
    summary: 'link another name or a login to a person',
    options: KNOWN_BY,
    remote: true,
    load: async () => (await import('./persons.ts')).linkLogin,
  },
  {
    verb: 'person unlink',
    args: '<person>',
    summary: 'unlink a name or a login, and erase it',
    options: [...KNOWN_BY, YES],
    remote: true,
    load: async () => (await import('./persons.ts')).unlinkLogin,
  },
  {
    verb: 'person merge',
    args: '<person> <into>',
    summary: 'merge two persons that are one human; from now on they count as one',
    options: [YES],
    remote: true,
    load: async () => (await import('./persons.ts')).mergeTwo,
  },
]
