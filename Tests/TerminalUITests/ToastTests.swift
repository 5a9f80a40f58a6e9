import Testing

@testable import TerminalUI

/// Messages stand in rows of their own: they cover nothing.
@MainActor
@Suite struct ToastTests {
  private struct Item: Identifiable { let id: Int }

  @Test func `a message covers neither the last row of a list nor the footer`() {
    let toasts = ToastQueue()
    let stage = Stage(46, 5) {
      VStack(alignment: .leading) {
        List((1..<9).map(Item.init)) { Text("row \($0.id)") }.toasts(toasts)
        KeyFooter()
      }
      .onKeyPress("q", label: "quit") {}
    }
    stage.press("G")
    toasts.show("It was not saved.", retry: {})
    stage.settle()
    #expect(
      stage.rows == """
        row 7
        row 8
        ✗ It was not saved.
                   Ctrl-R to retry   Ctrl-X to dismiss
        Ctrl-R retry change  Ctrl-X dismiss  q quit
        """)
  }

  @Test func `a message does not cover a sheet, whose keys are the only ones in force`() {
    let toasts = ToastQueue()
    toasts.show("It was not saved.", retry: {})
    let stage = Stage(30, 6) {
      Text("behind").toasts(toasts)
        .sheet(isPresented: .constant(true), title: "Form") {
          VStack { ForEach(0..<3) { Text("field \($0)") } }
        }
    }
    #expect(stage.text.contains("field 0"))
    #expect(stage.text.contains("field 2"))
    #expect(!stage.text.contains("to retry"))
  }
}
