import Testing

@Suite struct TerminalModuleTests {}
