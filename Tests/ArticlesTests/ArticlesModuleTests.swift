import Testing

@Suite struct ArticlesModuleTests {}
