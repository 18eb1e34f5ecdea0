/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export {
  formatArchiveHeader,
  formatArchiveLines,
  parseArchiveHeader,
  parseArchiveLine,
} from './archive-line.ts'
export {
  type AwayLeaves,
  listNamedArchives,
  type NamedArchive,
  readAwayLeaves,
} from './archive-notes.ts'
export { joinArchives, type OpenArchive } from './joined-store.ts'
