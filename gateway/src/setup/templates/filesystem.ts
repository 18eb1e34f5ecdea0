import type { ServerTemplate, TemplateTool } from './server-template.ts'

const READS: TemplateTool = { class: 'read', names: [{ bound: 'folders', at: '/path' }] }
const WRITES: TemplateTool = { ...READS, class: 'write' }

export const FILESYSTEM: ServerTemplate = {
  name: 'filesystem',
  knownBy: ['list_allowed_directories', 'directory_tree', 'read_multiple_files'],
  tools: {
    read_file: READS,
    read_text_file: READS,
    read_media_file: READS,
    read_multiple_files: {
      class: 'read',
      names: [{ bound: 'folders', at: '/paths/*' }],
      measures: { files: { count: true, of: '/paths/*' } },
    },
    list_directory: READS,
    list_directory_with_sizes: READS,
    directory_tree: READS,
    search_files: READS,
    get_file_info: READS,
    list_allowed_directories: { class: 'read' },
    create_directory: WRITES,
    write_file: { ...WRITES, leaves: ['/content'] },
    edit_file: {
      ...WRITES,
      leaves: ['/edits/*/newText'],
      measures: { edits: { count: true, of: '/edits/*' } },
    },
    // What stood at the destination is gone.
    move_file: {
      class: 'destroy',
      names: [
        { bound: 'folders', at: '/source' },
        { bound: 'folders', at: '/destination' },
      ],
    },
  },
  limits: [
    { measure: 'files', max: '64' },
    { measure: 'edits', max: '64' },
  ],
}
