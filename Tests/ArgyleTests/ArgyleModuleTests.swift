import Testing

@Suite struct ArgyleModuleTests {}
