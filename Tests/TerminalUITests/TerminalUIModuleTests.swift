import Testing

@Suite struct TerminalUIModuleTests {}
